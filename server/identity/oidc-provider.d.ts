// The entry of the library warns of each Node that its release does not call LTS, as that of npm's packages does not.
// The files behind it are imported instead, as the entry itself does.
declare module 'oidc-provider/lib/provider.js' {
  export { Provider } from 'oidc-provider'
}
declare module 'oidc-provider/lib/helpers/errors.js' {
  import { errors } from 'oidc-provider'

  export import InvalidTarget = errors.InvalidTarget
  export import SessionNotFound = errors.SessionNotFound
}
