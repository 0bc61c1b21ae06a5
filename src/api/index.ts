export { ApiError } from './api-error.ts'
export { api, capabilities, type Written } from './client.ts'
