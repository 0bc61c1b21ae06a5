import { shellText } from '../messages/index.ts'
import classes from './Shell.module.css'

export function Product({ className = classes.product }: { readonly className?: string | undefined }) {
  return (
    <span className={className}>
      <Mark />
      <span>{shellText.product}</span>
    </span>
  )
}

/** Logo of the product: rows of a store. Keep in sync with `public/favicon.svg` and the development sign-in page. */
function Mark() {
  return (
    <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden>
      <rect width="24" height="24" rx="6" fill="var(--mantine-color-indigo-6)" />
      <path d="M6 7.5h12M6 12h12M6 16.5h7" stroke="#fff" strokeWidth="2.25" strokeLinecap="round" />
    </svg>
  )
}
