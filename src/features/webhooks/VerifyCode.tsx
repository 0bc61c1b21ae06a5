import { useState } from 'react'

import { webhookForm } from '../../messages/index.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { ViewChoice } from '../../ui/ViewChoice.tsx'
import classes from './VerifyCode.module.css'

const text = webhookForm.verify

/** How a receiver tells that a delivery comes from here: a program to begin with. */
export function VerifyCode() {
  const [language, setLanguage] = useState<keyof typeof text.code>('node')
  const code = text.code[language]
  return (
    <section className={classes.root}>
      <div className={classes.head}>
        <h2 className={classes.title}>{text.title}</h2>
        <ViewChoice label={text.language} views={text.languages} shown={language} onShow={setLanguage} />
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
