import { useId, useState } from 'react'

import { webhookForm } from '../../messages/index.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import classes from './VerifyCode.module.css'

const text = webhookForm.verify
const languages = Object.keys(text.code) as (keyof typeof text.code)[]

/** How a receiver tells that a delivery comes from here: a program to begin with. */
export function VerifyCode() {
  const name = useId()
  const [language, setLanguage] = useState<keyof typeof text.code>('node')
  const code = text.code[language]
  return (
    <section className={classes.root}>
      <div className={classes.head}>
        <h2 className={classes.title}>{text.title}</h2>
        <div role="radiogroup" aria-label={text.language} className={classes.views}>
          {languages.map((each) => (
            <label key={each} className={classes.view}>
              <input
                type="radio"
                className="ds-visually-hidden"
                name={name}
                checked={language === each}
                onChange={() => setLanguage(each)}
              />
              {text.languages[each]}
            </label>
          ))}
        </div>
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
