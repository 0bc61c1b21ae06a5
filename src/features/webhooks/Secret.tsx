import { Group, Text } from '@mantine/core'

import { webhookFormText } from '../../messages/index.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'

const secretText = webhookFormText.secret

/** Shows a signing secret in the colours of sensitive values. The secret cannot be shown again. */
export function Secret({ secret }: { readonly secret: string }) {
  return (
    <>
      <p>{secretText.once}</p>
      <Group
        wrap="nowrap"
        justify="space-between"
        gap="xs"
        p="xs"
        ps="sm"
        bg="var(--ds-sensitive-bg)"
        bd="1px solid var(--ds-sensitive-border)"
        bdrs="md"
      >
        <Text component="output" aria-label={secretText.label} size="sm" ff="monospace">
          {secret}
        </Text>
        {/* Focused first, so that Enter copies the secret instead of closing the dialog. */}
        <CopyButton first value={secret} label={secretText.copy} />
      </Group>
    </>
  )
}
