import { Menu, Text } from '@mantine/core'
import { IconGripVertical } from '@tabler/icons-react'
import { createContext, type KeyboardEvent, type PointerEvent as ReactPointerEvent, use } from 'react'

import type { Node } from '../../../domain/filter-builder/draft/nodes.ts'
import { filterBuilderText } from '../../../messages/index.ts'
import { hint } from '../../../ui/Hint.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { type Destination, groupsWithRoom, numberOf, stepsOf } from './moves.ts'
import classes from '../../../domain/filter-builder/NodeFieldset.module.css'
import dragClasses from './MoveHandle.module.css'

const moveText = filterBuilderText.move

const directions = [
  { name: 'up', key: 'ArrowUp', sign: '↑' },
  { name: 'down', key: 'ArrowDown', sign: '↓' },
  { name: 'in', key: 'ArrowRight', sign: '→' },
  { name: 'out', key: 'ArrowLeft', sign: '←' },
] as const

export interface Mover {
  readonly root: Node
  /** Moves a node, announces the move, and keeps the focus on the node. */
  readonly move: (node: Node, destination: Destination) => void
  /** Announces a change to screen readers. */
  readonly say: (text: string) => void
}

export const MoverContext = createContext<Mover | undefined>(undefined)

function useMover(): Mover {
  const mover = use(MoverContext)
  if (!mover) throw new Error('There is no builder here.')
  return mover
}

/** Renders the handle that moves a node: by dragging, with the arrow keys, or through a menu of destinations. */
export function MoveHandle({ node, number }: { readonly node: Node; readonly number: string }) {
  const { root, move, say } = useMover()
  const kind = node.kind === 'group' ? 'group' : 'condition'
  const press = (event: KeyboardEvent) => {
    const direction = directions.find(({ key }) => key === event.key)?.name
    if (!direction || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    // While the menu is open, the arrow keys belong to it.
    if (event.currentTarget.getAttribute('aria-expanded') === 'true') return
    event.preventDefault()
    const destination = stepsOf(root, node.id)[direction]
    if (destination) move(node, destination)
    else say(moveText.cannot[direction])
  }
  const drag = (event: ReactPointerEvent<HTMLElement>) => {
    const handle = event.currentTarget
    const builder = handle.closest<HTMLElement>('[data-builder]')
    if (!builder) return
    // Prevents the press from selecting text or moving the focus away.
    event.preventDefault()
    handle.focus({ preventScroll: true })
    startDrag(event.nativeEvent, handle, {
      builder,
      id: node.id,
      label: filterBuilderText[kind]({ place: number }),
      groups: groupsWithRoom(root, node.id).map((group) => group.id),
      onDrop: (destination) => move(node, destination),
    })
  }
  return (
    <Menu position="bottom-start" width={220}>
      <Menu.Target>
        <IconButton
          {...hint(moveText.hint)}
          aria-label={moveText[kind]({ place: number })}
          data-handle
          className={classes.handle ?? ''}
          onKeyDown={press}
          onPointerDown={drag}
        >
          <IconGripVertical size={15} stroke={1.75} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        <MoveItems node={node} />
      </Menu.Dropdown>
    </Menu>
  )
}

function MoveItems({ node }: { readonly node: Node }) {
  const { root, move } = useMover()
  const steps = stepsOf(root, node.id)
  const groups = groupsWithRoom(root, node.id).filter(({ parts }) => !parts.includes(node))
  return (
    <>
      {directions.map(({ name, sign }) => {
        const destination = steps[name]
        return (
          <Menu.Item
            key={name}
            disabled={!destination}
            rightSection={
              <Text component="kbd" c="dimmed" ff="inherit" fz="sm">
                {sign}
              </Text>
            }
            onClick={() => destination && move(node, destination)}
          >
            {moveText.steps[name]}
          </Menu.Item>
        )
      })}
      {groups.length > 0 && <Menu.Divider />}
      {groups.map(({ id, parts }) => (
        <Menu.Item key={id} onClick={() => move(node, { group: id, index: parts.length })}>
          {id === root.id ? moveText.toEnd : moveText.toGroup({ place: numberOf(root, id) })}
        </Menu.Item>
      ))}
    </>
  )
}

interface Drag {
  /** Root element of the builder; elements shown during the drag are appended to it. */
  readonly builder: HTMLElement
  readonly id: string
  /** Description of the dragged node, for its drag image. */
  readonly label: string
  readonly groups: readonly string[]
  readonly onDrop: (destination: Destination) => void
}

interface Gap extends Destination {
  /** Viewport coordinates. */
  readonly left: number
  readonly top: number
  readonly width: number
}

const startPx = 4
const scrollZonePx = 56
const scrollPx = 9
/** Half of the gap between two parts, and the indent of a group's parts (`.rail` in Rail.module.css), in pixels. */
const halfGapPx = 6
const indentPx = 16

/** Drags a node from the press on its handle until the release. Escape cancels the drag. */
function startDrag(event: PointerEvent, handle: HTMLElement, drag: Drag): void {
  if (event.button !== 0 || !event.isPrimary) return
  const { pointerId, clientX, clientY } = event
  const end = new AbortController()
  const { signal } = end
  let at = { x: clientX, y: clientY }
  let gap: Gap | undefined
  let shown: { readonly line: HTMLElement; readonly carried: HTMLElement } | undefined

  const show = () => {
    const node = nodeElement(drag, drag.id)
    if (!shown) {
      shown = { line: appendPiece(drag, dragClasses.line), carried: appendPiece(drag, dragClasses.carried) }
      shown.carried.textContent = drag.label
      node?.setAttribute('data-dragged', '')
    }
    const { line, carried } = shown
    gap = nearestGap(gapsOf(drag), at)
    const { left, top } = drag.builder.getBoundingClientRect()
    carried.style.translate = `${at.x - left + 12}px ${at.y - top + 12}px`
    line.hidden = gap === undefined
    if (!gap) return
    line.style.translate = `${gap.left - left}px ${gap.top - top - 1}px`
    line.style.width = `${gap.width}px`
  }
  const scroll = () => {
    if (signal.aborted) return
    const step = at.y < scrollZonePx ? -scrollPx : at.y > innerHeight - scrollZonePx ? scrollPx : 0
    if (step !== 0) {
      scrollBy({ top: step, behavior: 'instant' })
      show()
    }
    requestAnimationFrame(scroll)
  }
  const listen = <Type extends keyof WindowEventMap>(
    type: Type,
    listener: (event: WindowEventMap[Type]) => void,
  ) => addEventListener(type, listener, { signal, capture: true })
  signal.addEventListener('abort', () => {
    nodeElement(drag, drag.id)?.removeAttribute('data-dragged')
    shown?.line.remove()
    shown?.carried.remove()
  })

  // The tooltip of the handle would cover the drop targets.
  listen('pointerover', (event) => event.stopPropagation())
  handle.setPointerCapture(pointerId)
  listen('pointermove', (moved) => {
    if (moved.pointerId !== pointerId) return
    at = { x: moved.clientX, y: moved.clientY }
    if (!shown && Math.hypot(at.x - clientX, at.y - clientY) < startPx) return
    if (!shown) requestAnimationFrame(scroll)
    show()
  })
  listen('pointerup', (lifted) => {
    if (lifted.pointerId !== pointerId) return
    end.abort()
    if (!shown) return
    swallowClick()
    if (gap) drag.onDrop({ group: gap.group, index: gap.index })
  })
  listen('pointercancel', () => end.abort())
  listen('keydown', (pressed) => {
    // Keys pressed during a drag must not change the filter under it.
    pressed.stopPropagation()
    pressed.preventDefault()
    if (pressed.key !== 'Escape') return
    end.abort()
    addEventListener('pointerup', swallowClick, { once: true, capture: true })
  })
}

/** Ignores the click that may directly follow a drag, because it is not a press on the handle. */
function swallowClick() {
  const over = new AbortController()
  addEventListener('click', (click) => click.stopPropagation(), { capture: true, signal: over.signal })
  setTimeout(() => over.abort(), 0)
}

function nodeElement({ builder }: Drag, id: string) {
  return builder.querySelector<HTMLElement>(`[data-node="${id}"]`)
}

function appendPiece({ builder }: Drag, className = ''): HTMLElement {
  const element = document.createElement('div')
  element.className = className
  element.ariaHidden = 'true'
  builder.append(element)
  return element
}

/** Returns the drop positions before, between and after the parts of every group that accepts the node. */
function gapsOf({ builder, groups }: Drag): readonly Gap[] {
  return groups.flatMap((group) => {
    const box = builder.querySelector<HTMLElement>(`[data-parts="${group}"]`)
    if (!box) return []
    const { left, top, width } = box.getBoundingClientRect()
    const inner = { group, left: left + indentPx, width: width - indentPx }
    const parts = [...box.children].filter((part) => part.hasAttribute('data-node'))
    const rects = parts.map((part) => part.getBoundingClientRect())
    const last = rects.at(-1)
    return [
      ...rects.map((rect, index) => ({ ...inner, index, top: rect.top - halfGapPx })),
      { ...inner, index: rects.length, top: last ? last.bottom + halfGapPx : top },
    ]
  })
}

/** Returns the closest gap, mainly vertically. Left of a group's start, gaps outside the group win. */
function nearestGap(gaps: readonly Gap[], at: { readonly x: number; readonly y: number }): Gap | undefined {
  const distance = ({ left, top }: Gap) => Math.abs(top - at.y) + Math.max(0, left - at.x - indentPx)
  return gaps.toSorted((a, b) => distance(a) - distance(b))[0]
}
