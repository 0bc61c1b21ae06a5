import { Button, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

import type { SettingsFault } from '../api/settings.ts'
import { SignInError } from '../auth/sign-in-error.ts'
import { language, shellText, signInText } from '../messages/index.ts'
import { Product } from './Navigation.tsx'

interface NoticeProps {
  readonly title: string
  readonly children: ReactNode
  readonly action?: { readonly label: string; readonly run: () => void }
}

/** Page outside the shell, before a session begins and after it has ended. */
export function Notice({ title, children, action }: NoticeProps) {
  return (
    <Stack component="main" gap="sm" align="start" w="min(480px, calc(100% - 32px))" mx="auto" mt="18vh">
      <Product />
      <Title order={1}>{title}</Title>
      <Text component="div" c="dimmed">
        {children}
      </Text>
      {action && <Button onClick={action.run}>{action.label}</Button>}
    </Stack>
  )
}

export function SignInFailure({ error }: { readonly error: unknown }) {
  const { title, body, said } = describeSignIn(error)
  return (
    <Notice title={title} action={{ label: signInText.again, run: () => location.reload() }}>
      <p>{body}</p>
      {said !== undefined && <p>{said}</p>}
    </Notice>
  )
}

/** Returns title, body and, for the administrator who sets up the sign-in, details. */
export function describeSignIn(error: unknown) {
  if (!(error instanceof SignInError)) return { ...signInText.unknown, said: undefined }
  const { fault, said } = error
  const { address, provider } = signInText.said
  const isAddress = fault === 'policy' || fault === 'foreign'
  const details = said && (isAddress ? address({ address: said }) : provider({ words: said }))
  return { ...signInText[fault], said: details }
}

const alternatives = new Intl.ListFormat(language, { type: 'disjunction' })

export function describeSettingsFault({ place, kind, values = [] }: SettingsFault): string {
  return shellText.badSettings.faults[kind]({
    place,
    values: kind === 'notChoice' ? alternatives.format(values) : values.join(', '),
  })
}
