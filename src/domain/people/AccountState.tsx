import { userText } from '../../messages/index.ts'
import { StateMark } from '../../ui/StateMark.tsx'

interface AccountStateProps {
  readonly value: boolean | null | undefined
  /** Whether to use the short text, for use below a heading that names the subject. */
  readonly short?: boolean
}

/** Renders whether the user has signed up; renders nothing if the service does not tell. */
export function AccountState({ value, short = false }: AccountStateProps) {
  if (value === null || value === undefined) return null
  return (
    <StateMark tone={value ? 'success' : undefined}>
      {userText.account[short ? 'short' : 'long'][value ? 'yes' : 'no']}
    </StateMark>
  )
}
