import { IconExternalLink } from '@tabler/icons-react'

import { valueText } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { safeUrl } from './draft.ts'
import classes from './value.module.css'

/** Leads to a web address in a new tab that learns nothing of this one; to nothing else. */
export function SafeLink({ url }: { readonly url: string }) {
  const href = safeUrl(url)
  if (href === undefined) return null
  const label = valueText.openLink(new URL(href).host)
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={label}
      {...hint(label)}
      className={classes.link}
    >
      <IconExternalLink size={15} stroke={1.75} aria-hidden />
    </a>
  )
}
