-- The texts under which a user is found by a value of a property that is not sensitive: entities/value-terms.ts and
-- docs/decisions/0025-lists-and-values.md say which.
create table value_terms (
  user_id uuid not null,
  entity_id uuid not null,
  key text collate "C" not null,
  term text collate "C" not null,
  constraint value_terms_pkey primary key (user_id, term, entity_id, key),
  constraint value_terms_entity_fk foreign key (user_id, entity_id)
    references entities (user_id, id) on delete cascade
);
create index value_terms_term_user_id_index on value_terms (term, user_id);
