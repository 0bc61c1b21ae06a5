import { useQuery } from '@tanstack/react-query'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from 'react-router'

import { links } from '../../domain/links.ts'
import { homeText } from '../../messages/index.ts'
import { StateMark } from '../../ui/StateMark.tsx'
import classes from './HomePage.module.css'
import { actorsOfTodayQuery } from './queries.ts'
import { Line, Quiet, Tile } from './Tile.tsx'

const text = homeText.sensitive
const shownActors = 5

/** Who has met sensitive values today, and of how many people; what is unusual comes first. */
export function SensitiveTile() {
  const read = useQuery(actorsOfTodayQuery())
  return (
    <Tile title={text.title} all={{ to: links.audit(), words: text.all }} read={read}>
      {({ from, actors }) =>
        actors.length === 0 ? (
          <Quiet>{text.none}</Quiet>
        ) : (
          <ul className={classes.list}>
            {actors.slice(0, shownActors).map(({ actor, people, unusual }) => (
              <Line
                key={actor}
                aside={
                  <>
                    {unusual && (
                      <StateMark tone="warning">
                        <IconAlertTriangle size={12} stroke={2} aria-hidden /> {text.unusual}
                      </StateMark>
                    )}
                    <span className="ds-dimmed">{text.people(people)}</span>
                  </>
                }
              >
                <Link to={links.audit({ actor, from })} dir="auto">
                  {actor}
                </Link>
              </Line>
            ))}
          </ul>
        )
      }
    </Tile>
  )
}
