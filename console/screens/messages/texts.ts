import { catalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const messageTexts = catalogue(en, () => import('./fr.ts'))
