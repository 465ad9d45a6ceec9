const splitWords = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Elements of a drawing that are drawn again; all others fall away with what is in them. */
export const SVG_ELEMENTS = splitWords(`
  svg g defs symbol use switch title desc style path rect circle ellipse line polyline polygon text tspan textPath image
  linearGradient radialGradient stop clipPath mask pattern marker filter feBlend feColorMatrix feComponentTransfer
  feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB
  feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight
  feTile feTurbulence`)

/** Elements whose text is kept. */
export const SVG_TEXT_ELEMENTS = splitWords('text tspan textPath title desc style')

/** Attributes whose values lead nowhere and run nothing. */
export const SVG_ATTRIBUTES = splitWords(`
  x y x1 y1 x2 y2 cx cy r rx ry fx fy fr dx dy width height d points pathLength viewBox preserveAspectRatio version
  offset gradientUnits spreadMethod gradientTransform patternUnits patternContentUnits patternTransform clipPathUnits
  maskUnits maskContentUnits markerUnits markerWidth markerHeight refX refY orient filterUnits primitiveUnits in in2
  result type values mode operator k1 k2 k3 k4 radius stdDeviation scale xChannelSelector yChannelSelector order
  kernelMatrix divisor bias targetX targetY edgeMode preserveAlpha surfaceScale diffuseConstant specularConstant
  specularExponent limitingConeAngle azimuth elevation z pointsAtX pointsAtY pointsAtZ baseFrequency numOctaves seed
  stitchTiles tableValues slope intercept amplitude exponent rotate lengthAdjust textLength startOffset method spacing
  side systemLanguage lang role aria-label aria-hidden xml:space`)

/** Properties, as attributes and in styles; their values are looked through for addresses. */
export const SVG_PROPERTIES = splitWords(`
  alignment-baseline baseline-shift clip-path clip-rule color color-interpolation color-interpolation-filters direction
  display dominant-baseline fill fill-opacity fill-rule filter flood-color flood-opacity font font-family font-size
  font-stretch font-style font-variant font-weight image-rendering isolation letter-spacing lighting-color marker
  marker-end marker-mid marker-start mask mask-type mix-blend-mode opacity overflow paint-order shape-rendering stop-color
  stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity
  stroke-width text-anchor text-decoration text-rendering transform transform-box transform-origin unicode-bidi
  vector-effect visibility white-space word-spacing writing-mode`)

/** Functions of values; `url` is read apart. */
export const SVG_VALUE_FUNCTIONS = splitWords(`
  rgb rgba hsl hsla hwb lab lch oklab oklch calc min max matrix translate translatex translatey scale scalex scaley rotate
  skewx skewy blur brightness contrast drop-shadow grayscale hue-rotate invert saturate sepia`)
