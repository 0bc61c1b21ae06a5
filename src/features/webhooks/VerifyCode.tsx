import '@mantine/core/styles/FloatingIndicator.layer.css'
import '@mantine/core/styles/SegmentedControl.layer.css'
import '@mantine/core/styles/Stack.layer.css'
import '@mantine/core/styles/Group.layer.css'
import '@mantine/core/styles/Text.layer.css'

import { Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'

import { webhookFormText } from '../../messages/index.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import classes from './VerifyCode.module.css'

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
      <div className={classes.block}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
        <pre className={classes.code} tabIndex={0}>
          <code>{code}</code>
        </pre>
        <span className={classes.copy}>
          <CopyButton value={code} label={text.copy} />
        </span>
      </div>
    </Stack>
  )
}
