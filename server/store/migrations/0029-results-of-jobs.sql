-- outcomes: how many users had which outcome when the job last ended; of the undo, if it was one. null = it has not ended since.
alter table jobs add column outcomes jsonb;
