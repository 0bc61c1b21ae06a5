-- How many users a segment had on a day, in UTC, as it was last counted then, and how many there were in all. No row for a
-- day on which nobody wanted to know. Kept where the filter is changed: the segment is the same.
create table segment_sizes (
  segment_id uuid not null constraint segment_sizes_segment_fk references segments (id) on delete cascade,
  day date not null,
  total integer not null,
  users integer not null,
  constraint segment_sizes_pkey primary key (segment_id, day)
);
