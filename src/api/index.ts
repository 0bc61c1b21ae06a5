export { ApiError } from './api-error.ts'
export { api, etagOf, type Written } from './client.ts'
export { offers, serviceUrl } from './connection.ts'
export { type Keyed, keyedWrites } from './keyed-writes.ts'
