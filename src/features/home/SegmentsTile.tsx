import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { links } from '../../domain/links.ts'
import { usePins } from '../../domain/people/pins.ts'
import { segmentHistoryQuery, segmentsQuery } from '../../domain/queries/segments.ts'
import { segmentName } from '../../domain/segments/names.ts'
import { Trend } from '../../domain/segments/Trend.tsx'
import { homeText } from '../../messages/index.ts'
import { number } from '../../messages/language/format.ts'
import { Tile, TileLine } from './Tile.tsx'

const segmentsText = homeText.segments

export function SegmentsTile() {
  const { ids } = usePins('segments')
  const read = useQuery(segmentsQuery())
  const { data: histories } = useQuery({
    ...segmentHistoryQuery(read.data ?? []),
    enabled: ids.length > 0,
  })
  return (
    <Tile text={segmentsText} to={links.segments()} read={read}>
      {(segments) =>
        ids
          .flatMap((id) => segments.find((each) => each.id === id) ?? [])
          .map((segment) => {
            const { id, total } = segment
            const sizes = histories?.find((history) => history.id === id)?.sizes ?? []
            return (
              <TileLine
                key={id}
                aside={
                  <>
                    {sizes.length > 1 && <Trend sizes={sizes} />}
                    {typeof total === 'number' ? (
                      number(total)
                    ) : (
                      <span className="ds-dimmed">{segmentsText.counting}</span>
                    )}
                  </>
                }
              >
                <Link to={links.segment(id)} dir="auto">
                  {segmentName(segment)}
                </Link>
              </TileLine>
            )
          })
      }
    </Tile>
  )
}
