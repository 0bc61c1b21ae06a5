import { createHash, timingSafeEqual } from 'node:crypto'

import { isRole, roles, type Role } from '#contract/index.ts'

export interface Account {
  userName: string
  name: string
  email: string
  role: Role
  /** One line about the role for the sign-in page. */
  purpose: string
}

/** Accounts named after roles, not people, so that nobody mistakes one for a customer's record. */
export const accounts: readonly Account[] = [
  {
    userName: 'support',
    name: 'Support',
    email: 'support@example.org',
    role: 'support',
    purpose: 'Looks up users, edits their names and e-mails',
  },
  {
    userName: 'steward',
    name: 'Data steward',
    email: 'steward@example.org',
    role: 'steward',
    purpose: 'Edits entities and sensitive values too',
  },
  {
    userName: 'integrator',
    name: 'Integrator',
    email: 'integrator@example.org',
    role: 'integrator',
    purpose: 'Follows events, manages webhooks',
  },
  {
    userName: 'admin',
    name: 'Administrator',
    email: 'admin@example.org',
    role: 'admin',
    purpose: 'Can do everything',
  },
]

/** Deliberately public: this sign-in is only for development, and is available only to this machine. */
export const accountPassword = 'data-store'

export function findAccount(userName: string): Account | undefined {
  return accounts.find((account) => account.userName === userName)
}

export function claimsOf(account: Account, roleClaim: string) {
  return {
    sub: account.userName,
    name: account.name,
    preferred_username: account.userName,
    email: account.email,
    [roleClaim]: account.role,
  }
}

/** Checks a user name and password. Takes the same time whether the name, the password or neither is right. */
export function authenticate(userName: string, password: string): Account | undefined {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const passwordIsRight = timingSafeEqual(digest(password), digest(accountPassword))
  const account = findAccount(userName.trim().toLowerCase())
  return passwordIsRight ? account : undefined
}

const scriptPrefix = 'script-'

/** Secret of the confidential clients for scripts, one client per role. Deliberately as public as the password. */
export const scriptClientSecret = 'data-store-development'

export const scriptClients = roles.map((role) => ({ clientId: scriptClientId(role), role }))

export function scriptClientId(role: Role): string {
  return `${scriptPrefix}${role}`
}

export function roleOfScriptClient(clientId: string | undefined): Role | undefined {
  const role = clientId?.startsWith(scriptPrefix) ? clientId.slice(scriptPrefix.length) : undefined
  return isRole(role) ? role : undefined
}
