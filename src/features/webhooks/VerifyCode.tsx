import { Box, Code, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'

import { webhookFormText } from '../../messages/index.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'

const text = webhookFormText.verify
type Language = keyof typeof text.code
const languages = Object.entries(text.languages).map(([value, label]) => ({
  value: value as Language,
  label,
}))

/** How a receiver tells that a delivery comes from here: a program to begin with. */
export function VerifyCode() {
  const [language, setLanguage] = useState<Language>('node')
  const code = text.code[language]
  return (
    <Stack component="section" gap="sm">
      <Group justify="space-between" gap="8px 12px">
        <h2>{text.title}</h2>
        <SegmentedControl
          aria-label={text.language}
          data={languages}
          value={language}
          onChange={setLanguage}
        />
      </Group>
      <Text size="sm" c="dimmed" textWrap="pretty">
        {text.about}
      </Text>
      <Box pos="relative">
        {/* What scrolls must be reachable by keyboard. */}
        <Code block tabIndex={0} p="sm" bg="var(--ds-surface)" bd="1px solid var(--ds-border)" bdrs="md">
          <code>{code}</code>
        </Code>
        <Box pos="absolute" top={8} right={8} bg="var(--ds-surface)">
          <CopyButton value={code} label={text.copy} />
        </Box>
      </Box>
    </Stack>
  )
}
