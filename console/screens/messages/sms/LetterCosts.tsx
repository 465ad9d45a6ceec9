import { Button } from '@mantine/core'
import { useTranslator } from '../../../text/catalogue.ts'
import { hasLiquidTags } from '../phones/liquid.ts'
import styles from '../phones/Phones.module.css'
import { estimateSmsCost, findNonGsmLetters, type NonGsmLetter, replaceNonGsmLetters } from './letters.ts'
import { smsTexts } from './texts.ts'

const MAX_LETTERS = 8

interface Props {
  text: string
  /** `settings.smsFormat` of the action. */
  format: number
  onReplace?: ((text: string) => void) | undefined
}

/** Letters that nobody would see are named by their number. */
const formatLetter = (letter: string): string =>
  /[\s\p{C}\p{M}]/u.test(letter) ? `U+${letter.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}` : letter

function LetterLine({ letter: { letter, line, column, lookAlike } }: { letter: NonGsmLetter }) {
  const t = useTranslator(smsTexts)
  return (
    <li>
      <code>{formatLetter(letter)}</code>
      {lookAlike ? (
        <>
          {t('to')} <code>{formatLetter(lookAlike)}</code>
        </>
      ) : (
        t(lookAlike === '' ? 'dropped' : 'noLookAlike')
      )}
      <small>{t('at', { line, column })}</small>
    </li>
  )
}

/** Characters outside GSM-7, their positions, their cost, and their substitutes. */
export function LetterCosts({ text, format, onReplace }: Props) {
  const t = useTranslator(smsTexts)
  const nonGsmLetters = findNonGsmLetters(text)
  if (nonGsmLetters.length === 0 || format === 2) return null
  const { now, plain } = estimateSmsCost(text)
  const count = nonGsmLetters.length
  const costTexts = {
    count,
    now: t('segments', { count: now.segments }),
    plain: t('segments', { count: plain.segments }),
  }
  // The length of a text with fields is that of each contact: the preview shows it.
  const isTemplate = hasLiquidTags(text)
  const costsMore = isTemplate || now.segments > plain.segments
  const costText = isTemplate
    ? t('breaksTemplate', { count })
    : costsMore
      ? t('breaks', costTexts)
      : t('breaksNothing', { count })
  return (
    <section className={styles['box']} data-dearer={costsMore || undefined}>
      <strong>{format === 1 ? t('replaced', { count }) : costText}</strong>
      <ul className={styles['letters']}>
        {nonGsmLetters.slice(0, MAX_LETTERS).map((letter) => (
          <LetterLine key={`${letter.line}:${letter.column}`} letter={letter} />
        ))}
        {count > MAX_LETTERS && <li>{t('more', { count: count - MAX_LETTERS })}</li>}
      </ul>
      {onReplace && nonGsmLetters.some(({ lookAlike }) => lookAlike !== undefined) && (
        <div>
          <Button variant="default" size="compact-sm" onClick={() => onReplace(replaceNonGsmLetters(text))}>
            {t('replaceAll')}
          </Button>
        </div>
      )}
    </section>
  )
}
