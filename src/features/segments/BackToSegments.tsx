import { BackLink } from '../../domain/BackLink.tsx'
import { links } from '../../domain/links.ts'
import { segmentText } from '../../messages/index.ts'

export function BackToSegments() {
  return <BackLink to={links.segments()}>{segmentText.title}</BackLink>
}
