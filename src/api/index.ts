export { ApiError } from './api-error.ts'
export { api, etagOf, offers, serviceUrl, type Written } from './client.ts'
export { type Keyed, keyedWrites } from './keyed-writes.ts'
