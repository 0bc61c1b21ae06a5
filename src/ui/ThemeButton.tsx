import type { ComponentProps } from 'react'

/**
 * Element of every button. While its act is under way, it stays focusable and does nothing: `disabled` would drop the
 * focus, and the next key would start from the top of the page.
 */
export function ThemeButton({
  disabled,
  type = 'button',
  'data-loading': isBusy,
  ...props
}: ComponentProps<'button'> & { readonly 'data-loading'?: boolean }) {
  if (isBusy !== true) return <button type={type} disabled={disabled} {...props} />
  return (
    <button type={type} data-loading {...props} aria-disabled onClick={(event) => event.preventDefault()} />
  )
}
