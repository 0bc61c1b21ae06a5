import { webhookFormText } from '../../messages/index.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import classes from './Secret.module.css'

const text = webhookFormText.secret

/** A signing secret, the one time that it is shown. */
export function Secret({ secret }: { readonly secret: string }) {
  return (
    <div className={classes.root}>
      <p>{text.once}</p>
      <div className={classes.secret}>
        <output aria-label={text.label} className={classes.text}>
          {secret}
        </output>
        <CopyButton value={secret} label={text.copy} />
      </div>
    </div>
  )
}
