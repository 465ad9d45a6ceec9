import { Button } from '@mantine/core'
import { useTranslator } from '../../../text/catalogue.ts'
import styles from '../phones/Phones.module.css'
import { estimateSmsCost, findNonGsmLetters, type NonGsmLetter, replaceNonGsmLetters } from './letters.ts'
import { smsTexts } from './texts.ts'

const SHOWN = 8

interface Props {
  text: string
  /** `settings.smsFormat` of the action. */
  format: number
  onReplace?: ((text: string) => void) | undefined
}

/** Letters that nobody would see are named by their number. */
const shownOf = (letter: string): string =>
  /[\s\p{C}\p{M}]/u.test(letter) ? `U+${letter.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}` : letter

function Line({ letter: { letter, line, column, lookAlike } }: { letter: NonGsmLetter }) {
  const t = useTranslator(smsTexts)
  return (
    <li>
      <code>{shownOf(letter)}</code>
      {lookAlike ? (
        <>
          {t('to')} <code>{shownOf(lookAlike)}</code>
        </>
      ) : (
        t(lookAlike === '' ? 'dropped' : 'noLookAlike')
      )}
      <small>{t('at', { line, column })}</small>
    </li>
  )
}

/** The letters that GSM-7 has not, where they stand, what they cost, and what would stand for them. */
export function LetterCosts({ text, format, onReplace }: Props) {
  const t = useTranslator(smsTexts)
  const letters = findNonGsmLetters(text)
  if (letters.length === 0 || format === 2) return null
  const { now, plain } = estimateSmsCost(text)
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
      <ul className={styles['letters']}>
        {letters.slice(0, SHOWN).map((letter) => (
          <Line key={`${letter.line}:${letter.column}`} letter={letter} />
        ))}
        {count > SHOWN && <li>{t('more', { count: count - SHOWN })}</li>}
      </ul>
      {onReplace && letters.some(({ lookAlike }) => lookAlike !== undefined) && (
        <div>
          <Button variant="default" size="compact-sm" onClick={() => onReplace(replaceNonGsmLetters(text))}>
            {t('replaceAll')}
          </Button>
        </div>
      )}
    </section>
  )
}
