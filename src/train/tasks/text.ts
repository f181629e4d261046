/** English that nobody owns: Lincoln 1863 and 1865, the Declaration of 1776, Shakespeare 1609. */

/** ASCII. */
export const publicText = `Four score and seven years ago our fathers brought forth on this continent, a new nation,
conceived in Liberty, and dedicated to the proposition that all men are created equal.

Now we are engaged in a great civil war, testing whether that nation, or any nation so
conceived and so dedicated, can long endure. We are met on a great battle-field of that war.
We have come to dedicate a portion of that field, as a final resting place for those who
here gave their lives that that nation might live. It is altogether fitting and proper that
we should do this.

But, in a larger sense, we can not dedicate -- we can not consecrate -- we can not hallow --
this ground. The brave men, living and dead, who struggled here, have consecrated it, far
above our poor power to add or detract. The world will little note, nor long remember what
we say here, but it can never forget what they did here. It is for us the living, rather, to
be dedicated here to the unfinished work which they who fought here have thus far so nobly
advanced. It is rather for us to be here dedicated to the great task remaining before us --
that from these honored dead we take increased devotion to that cause for which they gave
the last full measure of devotion -- that we here highly resolve that these dead shall not
have died in vain -- that this nation, under God, shall have a new birth of freedom -- and
that government of the people, by the people, for the people, shall not perish from the
earth.

When in the Course of human events, it becomes necessary for one people to dissolve the
political bands which have connected them with another, and to assume among the powers of
the earth, the separate and equal station to which the Laws of Nature and of Nature's God
entitle them, a decent respect to the opinions of mankind requires that they should declare
the causes which impel them to the separation.

We hold these truths to be self-evident, that all men are created equal, that they are
endowed by their Creator with certain unalienable Rights, that among these are Life, Liberty
and the pursuit of Happiness. That to secure these rights, Governments are instituted among
Men, deriving their just powers from the consent of the governed, That whenever any Form of
Government becomes destructive of these ends, it is the Right of the People to alter or to
abolish it, and to institute new Government, laying its foundation on such principles and
organizing its powers in such form, as to them shall seem most likely to effect their Safety
and Happiness. Prudence, indeed, will dictate that Governments long established should not
be changed for light and transient causes; and accordingly all experience hath shewn, that
mankind are more disposed to suffer, while evils are sufferable, than to right themselves by
abolishing the forms to which they are accustomed. But when a long train of abuses and
usurpations, pursuing invariably the same Object evinces a design to reduce them under
absolute Despotism, it is their right, it is their duty, to throw off such Government, and
to provide new Guards for their future security.

He has refused his Assent to Laws, the most wholesome and necessary for the public good.
He has forbidden his Governors to pass Laws of immediate and pressing importance, unless
suspended in their operation till his Assent should be obtained; and when so suspended, he
has utterly neglected to attend to them.
He has refused to pass other Laws for the accommodation of large districts of people, unless
those people would relinquish the right of Representation in the Legislature, a right
inestimable to them and formidable to tyrants only.
He has called together legislative bodies at places unusual, uncomfortable, and distant from
the depository of their public Records, for the sole purpose of fatiguing them into
compliance with his measures.
He has dissolved Representative Houses repeatedly, for opposing with manly firmness his
invasions on the rights of the people.
He has refused for a long time, after such dissolutions, to cause others to be elected;
whereby the Legislative powers, incapable of Annihilation, have returned to the People at
large for their exercise; the State remaining in the mean time exposed to all the dangers of
invasion from without, and convulsions within.
He has endeavoured to prevent the population of these States; for that purpose obstructing
the Laws for Naturalization of Foreigners; refusing to pass others to encourage their
migrations hither, and raising the conditions of new Appropriations of Lands.
He has obstructed the Administration of Justice, by refusing his Assent to Laws for
establishing Judiciary powers.
He has made Judges dependent on his Will alone, for the tenure of their offices, and the
amount and payment of their salaries.
He has erected a multitude of New Offices, and sent hither swarms of Officers to harrass our
people, and eat out their substance.
He has kept among us, in times of peace, Standing Armies without the Consent of our
legislatures.
He has affected to render the Military independent of and superior to the Civil power.

Fellow-Countrymen: At this second appearing to take the oath of the Presidential office
there is less occasion for an extended address than there was at the first. Then a statement
somewhat in detail of a course to be pursued seemed fitting and proper. Now, at the
expiration of four years, during which public declarations have been constantly called forth
on every point and phase of the great contest which still absorbs the attention and
engrosses the energies of the nation, little that is new could be presented. The progress of
our arms, upon which all else chiefly depends, is as well known to the public as to myself,
and it is, I trust, reasonably satisfactory and encouraging to all. With high hope for the
future, no prediction in regard to it is ventured.

On the occasion corresponding to this four years ago all thoughts were anxiously directed to
an impending civil war. All dreaded it, all sought to avert it. While the inaugural address
was being delivered from this place, devoted altogether to saving the Union without war,
insurgent agents were in the city seeking to destroy it without war -- seeking to dissolve
the Union and divide effects by negotiation. Both parties deprecated war, but one of them
would make war rather than let the nation survive, and the other would accept war rather
than let it perish, and the war came.

With malice toward none, with charity for all, with firmness in the right as God gives us to
see the right, let us strive on to finish the work we are in, to bind up the nation's
wounds, to care for him who shall have borne the battle and for his widow and his orphan, to
do all which may achieve and cherish a just and lasting peace among ourselves and with all
nations.

Shall I compare thee to a summer's day?
Thou art more lovely and more temperate:
Rough winds do shake the darling buds of May,
And summer's lease hath all too short a date;
Sometime too hot the eye of heaven shines,
And often is his gold complexion dimm'd;
And every fair from fair sometime declines,
By chance or nature's changing course untrimm'd;
But thy eternal summer shall not fade,
Nor lose possession of that fair thou ow'st;
Nor shall death brag thou wander'st in his shade,
When in eternal lines to time thou grow'st:
So long as men can breathe or eyes can see,
So long lives this, and this gives life to thee.

Let me not to the marriage of true minds
Admit impediments. Love is not love
Which alters when it alteration finds,
Or bends with the remover to remove:
O no! it is an ever-fixed mark
That looks on tempests and is never shaken;
It is the star to every wandering bark,
Whose worth's unknown, although his height be taken.
Love's not Time's fool, though rosy lips and cheeks
Within his bending sickle's compass come:
Love alters not with his brief hours and weeks,
But bears it out even to the edge of doom.
If this be error and upon me proved,
I never writ, nor no man ever loved.

`;
