// The one place that picks a language: another one is a second folder whose catalogues are `typeof` these, and a
// build that points here. Each catalogue stays a module of its own, so that a feature's texts travel with its chunk.
export { entities } from './en/entities.ts'
export { events } from './en/events.ts'
export { segments } from './en/segments.ts'
export { shared, shell } from './en/shell.ts'
export { users } from './en/users.ts'
export { values } from './en/values.ts'
export { language } from './format.ts'
