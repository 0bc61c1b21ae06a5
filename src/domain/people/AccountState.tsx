import { userText } from '../../messages/index.ts'
import { StateMark } from '../../ui/StateMark.tsx'

export interface AccountStateProps {
  readonly value: boolean | null | undefined
  /** Under a heading that says what it is about. */
  readonly short?: boolean
}

/** Whether the user has signed up. Nothing where the service does not say. */
export function AccountState({ value, short = false }: AccountStateProps) {
  if (value === null || value === undefined) return null
  return (
    <StateMark tone={value ? 'success' : undefined}>
      {userText.account[short ? 'short' : 'long'][value ? 'yes' : 'no']}
    </StateMark>
  )
}
