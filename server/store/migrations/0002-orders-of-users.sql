-- What keeps the orders of a list of users: by name the terms of names, by e-mail its unique constraint, by creation the
-- ids. Those without a name or an e-mail stand last, and are few to most indexes.
create index users_since_id_index on users (since, id);
create index users_without_email_index on users (id) where email_key is null;
create index users_without_name_index on users (id) where name_key is null;
-- A name without letters or digits had no term; in the order of names it is an empty one.
insert into user_terms (user_id, name, term)
select id, true, '' from users
where name_key is not null
  and not exists (select from user_terms where user_terms.user_id = users.id and user_terms.name);
