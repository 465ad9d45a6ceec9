import { useLocaleFormat } from '../text/format.ts'

interface Props {
  value: number
  /** 12.4k: in cards and on axes alone; the exact one on hover. */
  short?: boolean
  /** A share as a percentage. */
  percent?: boolean
  /** Not final, or counted by estimate: said by a word before it. */
  about?: string
}

/** A number, as the locale writes it, in digits of one width. */
export function FormattedNumber({ value, short = false, percent = false, about }: Props) {
  const format = useLocaleFormat()
  const exactText = percent ? format.percent(value, 2) : format.number(value)
  const shownText = percent ? format.percent(value) : short ? format.short(value) : exactText
  return (
    <span className="digits" {...(shownText !== exactText && { title: exactText })}>
      {about && `${about} `}
      {shownText}
    </span>
  )
}
