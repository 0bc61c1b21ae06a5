import { shellText } from '../messages/index.ts'
import { Mark } from '../ui/Mark.tsx'
import classes from './Shell.module.css'

export function Product({ className = classes.product }: { readonly className?: string | undefined }) {
  return (
    <span className={className}>
      <Mark />
      <span>{shellText.product}</span>
    </span>
  )
}
