drop index concurrently if exists entities_several_index;
create index concurrently entities_several_index on entities (type, nth_of_type, user_id) where nth_of_type > 1;
