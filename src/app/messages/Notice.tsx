import { Button, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

import { Product } from '../Product.tsx'
import { signInText } from '../../messages/index.ts'
import { describeSignIn } from './sign-in-words.ts'

export interface NoticeProps {
  readonly title: string
  readonly children: ReactNode
  readonly action?: { readonly label: string; readonly run: () => void }
}

/** Page outside the shell, before a session begins and after it has ended. */
export function Notice({ title, children, action }: NoticeProps) {
  return (
    <Stack component="main" gap="sm" align="start" w="min(480px, calc(100vw - 32px))" mx="auto" mt="18vh">
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
