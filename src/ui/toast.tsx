import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useSyncExternalStore } from 'react'

import { shared } from '../messages/index.ts'
import classes from './toast.module.css'
import { IconButton } from './IconButton.tsx'

export interface Toast {
  readonly message: string
  /** A failure stays until it is dismissed; a success goes after six seconds. */
  readonly tone?: 'success' | 'failure'
  /** Whole, for a report. */
  readonly requestId?: string | undefined
}

interface Shown extends Toast {
  readonly key: number
}

const shownMs = 6000
let nextKey = 1
let toasts: readonly Shown[] = []
const listeners = new Set<() => void>()

function set(next: readonly Shown[]) {
  toasts = next
  for (const listener of listeners) listener()
}

function dismiss(key: number) {
  set(toasts.filter((toast) => toast.key !== key))
}

/** Says the outcome of an action that has no place of its own on the page. Form errors stand in the form instead. */
export function showToast(toast: Toast): void {
  set([...toasts.slice(-2), { ...toast, key: nextKey++ }])
}

/** On signing out: a message may name a person. */
export function clearToasts(): void {
  set([])
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Rendered once, in the shell. The live region is there before its first message, or nobody would hear it. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <section aria-label={shared.notifications} aria-live="polite" className={classes.layer}>
      {shown.map((toast) => (
        <ToastCard key={toast.key} toast={toast} />
      ))}
    </section>
  )
}

function ToastCard({ toast }: { readonly toast: Shown }) {
  const failed = toast.tone === 'failure'
  const hovered = useRef(false)
  useEffect(() => {
    if (failed) return
    const timer = setInterval(() => {
      if (!hovered.current) dismiss(toast.key)
    }, shownMs)
    return () => clearInterval(timer)
  }, [failed, toast.key])

  return (
    <div
      className={classes.toast}
      data-tone={toast.tone ?? 'success'}
      onPointerEnter={() => {
        hovered.current = true
      }}
      onPointerLeave={() => {
        hovered.current = false
      }}
    >
      {failed ? <IconAlertTriangle size={16} aria-hidden /> : <IconCheck size={16} aria-hidden />}
      <div className={classes.text}>
        {toast.message}
        {toast.requestId !== undefined && (
          <span className={classes.request}>
            {shared.requestId} <span className="ds-mono">{toast.requestId}</span>
          </span>
        )}
      </div>
      <IconButton size="small" aria-label={shared.dismiss} onClick={() => dismiss(toast.key)}>
        <IconX size={14} />
      </IconButton>
    </div>
  )
}
