-- sensitive: what was counted tested a property that is or was sensitive, by itself or through the segments that it used, so
-- that the number may tell somebody's value. Of sizes from before nobody knows what they were counts of.
alter table segment_sizes add column sensitive boolean not null default true;
alter table segment_sizes alter column sensitive drop default;
