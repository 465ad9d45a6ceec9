import { useEffect, useRef } from 'react'
import styles from './MessageFrame.module.css'

interface Props {
  html: string
  title: string
  /** Pictures of the internet are shown too: their hosts learn that it was looked at. */
  hasPictures?: boolean
  /** Drawn on a dark ground, as readers in the dark do. */
  isDark?: boolean
  width?: number
  height?: number
}

/** A mail as it is, in a page of its own that may do nothing: its HTML never stands in the console's. */
export function MessageFrame({ html, title, hasPictures = false, isDark = false, width = 640, height = 520 }: Props) {
  const frameRef = useRef<HTMLIFrameElement>(null)
  useEffect(() => {
    const postContent = (): void => frameRef.current?.contentWindow?.postMessage({ html, title, dark: isDark }, '*')
    const handleMessage = ({ source, data }: MessageEvent): void => {
      if (source === frameRef.current?.contentWindow && data?.ready === 'frame') postContent()
    }
    addEventListener('message', handleMessage)
    postContent()
    return () => removeEventListener('message', handleMessage)
  }, [html, title, isDark])
  const page = hasPictures ? '/console/frame-pictures' : '/console/frame'
  return (
    <iframe
      key={page}
      ref={frameRef}
      src={page}
      title={title}
      className={styles['frame']}
      // Its own dark styles apply in the dark alone, whatever the console looks like.
      style={{ width, height, colorScheme: isDark ? 'dark' : 'light' }}
    />
  )
}
