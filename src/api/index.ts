export { ApiError } from './api-error.ts'
export type { Written } from './client.ts'
export {
  isFull,
  isReasonRequired,
  isRevealOnly,
  masksOnRequest,
  serviceUrl,
  tellsErased,
} from './connection.ts'
export { forgetUsers, invalidate, peek, put, refresh, reread } from './cache.ts'
export { recall, remember } from './memory.ts'
export { api, fileUnder, offers, q } from './operations.ts'
export { isRepeatable, type Keyed, keyedWrites, type Reasoned } from './keyed-writes.ts'
export { etagOf } from './read-answer.ts'
