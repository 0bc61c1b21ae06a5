-- sealed: the headers of the request, and what was answered, under a key of the service. null: of before, or not to be had.
alter table delivery_attempts add column sealed bytea;
