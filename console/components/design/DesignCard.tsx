import { useIntersection } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiClient, readAnswer } from '../../api/client.ts'
import { MessageFrame } from '../MessageFrame.tsx'
import styles from './DesignCard.module.css'
import type { ApiDesign } from './model/shapes.ts'

const WIDTH_PX = 640
const HEIGHT_PX = 800

/** The service makes two at once: pictures wait for each other, so that people who edit need not. */
let last: Promise<unknown> = Promise.resolve()

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const next = last.then(work, work)
  last = next
  return next
}

interface Props {
  /** What its picture is kept by. */
  name: readonly unknown[]
  title: string
  load(signal: AbortSignal): Promise<ApiDesign>
  /** Some rows, not a whole message. */
  isRows?: boolean
}

/** A design as a small picture, made when it comes into view. */
export function DesignThumbnail({ name, title, load, isRows = false }: Props) {
  const { ref, entry } = useIntersection({ rootMargin: '200px' })
  const [wasSeen, setSeen] = useState(false)
  if (entry?.isIntersecting && !wasSeen) setSeen(true)
  const picture = useQuery({
    queryKey: ['designs', 'picture', ...name],
    queryFn: ({ signal }) =>
      inTurn(async () =>
        readAnswer(apiClient.POST('/designs/render', { body: { design: await load(signal) }, signal })),
      ),
    enabled: wasSeen,
    staleTime: 300_000,
  })
  return (
    <div ref={ref} className={styles['picture']} data-rows={isRows || undefined} aria-hidden inert>
      {picture.data && (
        <div className={styles['scaled']}>
          <MessageFrame html={picture.data.html} title={title} width={WIDTH_PX} height={HEIGHT_PX} />
        </div>
      )}
    </div>
  )
}
