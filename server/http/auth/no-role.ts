import { claimAt, namesIn } from '#contract/index.ts'

/** Why a caller has no role: the contents of the claim that should name one. */
export interface NoRole {
  readonly claim: string
  /** Contents of the claim; undefined if it is missing. */
  readonly holds?: string
  /** Set if the issuer's userinfo endpoint named no role either. */
  readonly userInfo?: true
}

const maxNames = 10
const maxNameLength = 100

export function noRoleIn(
  claims: Readonly<Record<string, unknown>>,
  claim: string,
  isUserInfoAsked: boolean,
): NoRole {
  const value = claimAt(claims, claim)
  return {
    claim,
    ...(value !== undefined && { holds: describeNames(claim, namesIn(value)) }),
    ...(isUserInfoAsked && { userInfo: true }),
  }
}

function describeNames(claim: string, names: readonly string[]): string {
  const present = names.filter((name) => name !== '')
  if (present.length === 0) return 'nothing that could name a role'
  if (isAboutPerson.test(claim) || present.some((name) => looksPersonal.test(name)))
    return 'a value that is not shown here'
  const first = present.slice(0, maxNames).map((name) => JSON.stringify(shortenName(name)))
  return `${first.join(', ')}${present.length > maxNames ? ` and ${present.length - maxNames} more` : ''}`
}

const shortenName = (name: string) =>
  name.length <= maxNameLength ? name : `${name.slice(0, maxNameLength - 1)}…`

// A setting may name the wrong claim, whose contents must not get into the log if they are personal. Matches the claims
// of OpenID Connect Core, 5.1, other claims that name a person, and e-mail addresses and phone numbers in any claim.
const isAboutPerson =
  /(^|[/:.])(sub|uid|oid|((given|family|middle|nick|preferred_user|unique_|user|display|login|full)_?)?name|profile|picture|website|e?mail|gender|birthdate|zoneinfo|locale|phone_number|address|upn)([/:.]|$)/i
const looksPersonal = /@|^\+?[\d\s()./-]{7,}$/

/** Returns the message for the log. */
export function tellNoRole({ claim, holds, userInfo }: NoRole): string {
  const found = holds === undefined ? `the token has no claim ${claim}` : `the claim ${claim} holds ${holds}`
  const beside = userInfo ? ', and the userinfo endpoint names none either' : ''
  return `no role: ${found}${beside} (OIDC_ROLE_CLAIM says where roles stand, ROLE_MAP what they are called)`
}
