import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { links } from '../../domain/links.ts'
import { homeText } from '../../messages/index.ts'
import { StateMark } from '../../ui/StateMark.tsx'
import { actorsOfTodayQuery } from './queries.ts'
import { Tile, TileLine } from './Tile.tsx'

const sensitiveText = homeText.sensitive
const shownActors = 5

/**
 * Tile with the actors who accessed sensitive values today, and the number of users concerned. Unusual activity comes
 * first.
 */
export function SensitiveTile() {
  return (
    <Tile text={sensitiveText} to={links.audit()} read={useQuery(actorsOfTodayQuery())}>
      {({ from, actors }) =>
        actors.slice(0, shownActors).map(({ actor, people, unusual }) => (
          <TileLine
            key={actor}
            aside={
              <>
                {unusual && (
                  <StateMark tone="warning">
                    <IconAlertTriangle size={12} stroke={2} aria-hidden /> {sensitiveText.unusual}
                  </StateMark>
                )}
                <span className="ds-dimmed">{sensitiveText.people({ count: people })}</span>
              </>
            }
          >
            <Link to={links.audit({ actor, from })} dir="auto">
              {actor}
            </Link>
          </TileLine>
        ))
      }
    </Tile>
  )
}
