import { useCallback, useEffect, useEffectEvent, useRef } from 'react'
import { useNavigation } from 'react-router'

/** By then a navigation has begun, or none does: a question is asked first, or the page is there already. */
const beginsMs = 150

/** A link that is followed looks pressed (`data-pressed`) from the same frame on until its page has come. */
export function usePressedLink() {
  const isUnderWay = useNavigation().state !== 'idle'
  const pressed = useRef<Element>(undefined)
  const release = useCallback(() => {
    pressed.current?.removeAttribute('data-pressed')
    pressed.current = undefined
  }, [])
  const releaseIdle = useEffectEvent(() => {
    if (!isUnderWay) release()
  })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const press = ({ target, defaultPrevented }: MouseEvent) => {
      const link = target instanceof Element ? target.closest('a[href]') : null
      // Only the router follows a link by itself; others are the browser's.
      if (!link || !defaultPrevented) return
      release()
      link.setAttribute('data-pressed', '')
      pressed.current = link
      clearTimeout(timer)
      timer = setTimeout(releaseIdle, beginsMs)
    }
    // Behind the page's own listeners, which stand at the root.
    document.addEventListener('click', press)
    return () => {
      document.removeEventListener('click', press)
      clearTimeout(timer)
      release()
    }
  }, [release])
  useEffect(() => (isUnderWay ? release : undefined), [isUnderWay, release])
}
