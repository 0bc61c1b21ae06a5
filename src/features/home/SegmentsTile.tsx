import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { links } from '../../domain/links.ts'
import { usePins } from '../../domain/people/pins.ts'
import { segmentHistoryQuery, segmentsQuery } from '../../domain/queries/segments.ts'
import { segmentName } from '../../domain/segments/names.ts'
import { Trend } from '../../domain/segments/Trend.tsx'
import { number } from '../../messages/format.ts'
import { homeText } from '../../messages/index.ts'
import classes from './HomePage.module.css'
import { EmptyTile, Tile, TileLine } from './Tile.tsx'

const segmentsTileText = homeText.segments

export function SegmentsTile() {
  const { ids } = usePins('segments')
  const read = useQuery(segmentsQuery())
  const { data: histories } = useQuery({
    ...segmentHistoryQuery(read.data ?? []),
    enabled: ids.length > 0,
  })
  return (
    <Tile
      title={segmentsTileText.title}
      all={{ to: links.segments(), label: segmentsTileText.all }}
      read={read}
    >
      {(segments) => {
        const pinned = ids.flatMap((id) => segments.find((each) => each.id === id) ?? [])
        if (pinned.length === 0) return <EmptyTile>{segmentsTileText.none}</EmptyTile>
        return (
          <ul className={classes.list}>
            {pinned.map((segment) => {
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
                        <span className="ds-dimmed">{segmentsTileText.counting}</span>
                      )}
                    </>
                  }
                >
                  <Link to={links.segment(id)} dir="auto">
                    {segmentName(segment)}
                  </Link>
                </TileLine>
              )
            })}
          </ul>
        )
      }}
    </Tile>
  )
}
