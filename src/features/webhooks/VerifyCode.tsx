import '@mantine/core/styles/SegmentedControl.layer.css'
import '@mantine/core/styles/FloatingIndicator.layer.css'

import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'

import { webhookForm } from '../../messages/index.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import classes from './VerifyCode.module.css'

const text = webhookForm.verify
type Language = keyof typeof text.code
const languages = (Object.keys(text.languages) as Language[]).map((value) => ({
  value,
  label: text.languages[value],
}))

/** How a receiver tells that a delivery comes from here: a program to begin with. */
export function VerifyCode() {
  const [language, setLanguage] = useState<Language>('node')
  const code = text.code[language]
  return (
    <section className={classes.root}>
      <div className={classes.head}>
        <h2 className={classes.title}>{text.title}</h2>
        <SegmentedControl
          aria-label={text.language}
          data={languages}
          value={language}
          onChange={setLanguage}
        />
      </div>
      <p className={classes.about}>{text.about}</p>
      <div className={classes.block}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
        <pre className={classes.code} tabIndex={0}>
          <code>{code}</code>
        </pre>
        <span className={classes.copy}>
          <CopyButton value={code} label={text.copy} />
        </span>
      </div>
    </section>
  )
}
