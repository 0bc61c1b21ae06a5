import { unknownEmail, unknownName, type User } from '#contract/index.ts'

/** What the service says where nothing was given is nothing. */
const given = (value: string | null | undefined, standIn: string) =>
  value === null || value === undefined || value === '' || value === standIn ? undefined : value

export const memberName = ({ name }: Pick<User, 'id' | 'name' | 'email'>) => given(name, unknownName)
export const memberEmail = ({ email }: Pick<User, 'email'>) => given(email, unknownEmail)
