import { catalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const capturedTexts = catalogue(en, () => import('./fr.ts'))
