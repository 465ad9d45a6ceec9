import { catalogue } from '../text/catalogue.ts'
import en from './en.ts'

export const frameTexts = catalogue(en, () => import('./fr.ts'))
