export { ApiError } from './api-error.ts'
export { api, etagOf, offers, type Written } from './client.ts'
