-- What a job does with its users. Each job from before sets a property, and so does each that the previous release begins.
alter table jobs add column kind text collate "C" not null default 'set';
