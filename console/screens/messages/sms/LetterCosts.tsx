import { Button } from '@mantine/core'
import { useText } from '../../../text/catalogue.ts'
import styles from '../phones/Phones.module.css'
import { costOf, type Letter, lettersBeyond, withLookAlikes } from './letters.ts'
import { smsTexts } from './texts.ts'

const SHOWN = 8

interface Props {
  text: string
  /** `settings.smsFormat` of the action. */
  format: number
  onReplace?: ((text: string) => void) | undefined
}

function Line({ letter: { letter, line, column, lookAlike } }: { letter: Letter }) {
  const t = useText(smsTexts)
  const instead =
    lookAlike === undefined ? t('noLookAlike') : lookAlike === '' ? t('dropped') : t('becomes', { other: lookAlike })
  return (
    <li>
      <code>{letter}</code> {t('at', { line, column })}: {instead}
    </li>
  )
}

/** The letters that GSM-7 has not, where they stand, what they cost, and what would stand for them. */
export function LetterCosts({ text, format, onReplace }: Props) {
  const t = useText(smsTexts)
  const letters = lettersBeyond(text)
  if (letters.length === 0 || format === 2) return null
  const { now, plain } = costOf(text)
  const count = letters.length
  const words = {
    count,
    now: t('segments', { count: now.segments }),
    plain: t('segments', { count: plain.segments }),
  }
  const isDearer = now.segments > plain.segments
  return (
    <section className={styles['box']} data-dearer={isDearer || undefined}>
      <strong>
        {format === 1 ? t('replaced', { count }) : isDearer ? t('breaks', words) : t('breaksNothing', { count })}
      </strong>
      <ul className={styles['results']}>
        {letters.slice(0, SHOWN).map((letter) => (
          <Line key={`${letter.line}:${letter.column}`} letter={letter} />
        ))}
        {count > SHOWN && <li>{t('more', { count: count - SHOWN })}</li>}
      </ul>
      {onReplace && letters.some(({ lookAlike }) => lookAlike !== undefined) && (
        <div>
          <Button variant="default" size="compact-sm" onClick={() => onReplace(withLookAlikes(text))}>
            {t('replaceAll')}
          </Button>
        </div>
      )}
    </section>
  )
}
