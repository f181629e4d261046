"""torch.einsum in all its forms."""
import torch

from calls.form import case, ints, t

NAME = "torch.einsum"
C64, HALF, F64 = torch.complex64, torch.float16, torch.float64
SIZES = dict(a=2, b=2, h=3, q=4, k=5, d=6, i=2, j=3, l=4, n=2, m=3, e=5)

EQUATIONS = [
    "ij,jk->ik", "ij,jk", "ij,kj->ik", "ji,jk->ik", "ij,jk->ki", "i,i->", "i,i", "i,j->ij", "ij->ji",
    "ij->", "ij->i", "ij->j", "i,ij,j->", "bhqd,bhkd->bhqk", "bhqk,bhkd->bhqd", "bqhd,bkhd->bhqk",
    "bhqk,bkhd->bqhd", "bqd,de->bqe", "bqd,ed->bqe", "bqd,hde->bqhe", "ij,ij->ij", "ij,ij->i",
    "ij,ik->ijk", "bij,bjk->bik", "bij,bij->b", "ij,jk,kl->il", "bi,bj->bij", "b,bi->bi",
    "ijk,ilm,njm,nlk,abc->", "ba,bc->ac", "k ij , jd -> kid", "bhqk->bqk", "qh,kh->hqk",
]


def operands(equation):
    left = equation.replace(" ", "").split("->")[0]
    return [t(*(SIZES.get(c, 2) for c in part)) for part in left.split(",")]


CASES = [
    *[case(NAME, equation, *operands(equation)) for equation in EQUATIONS],
    case(NAME, "ij,jk->ik", [t(2, 3), t(3, 4)]),
    case(NAME, "ii->i", t(3, 3)),
    case(NAME, "ii", t(3, 3)),
    case(NAME, "iij->ij", t(3, 3, 2)),
    case(NAME, "iji->j", t(3, 2, 3)),
    case(NAME, "ii,i->i", t(3, 3), t(3)),
    case(NAME, "...ij,...jk->...ik", t(2, 2, 3), t(2, 3, 4)),
    case(NAME, "...ij,...jk->...ik", t(5, 2, 2, 3), t(2, 3, 4)),
    case(NAME, "...ij,jk", t(5, 2, 3), t(3, 4)),
    case(NAME, "...i->...", t(2, 3, 4)),
    case(NAME, "i...->...", t(2, 3, 4)),
    case(NAME, "...ii->...i", t(2, 3, 3)),
    case(NAME, "...,...->...", t(2, 3), t(3)),
    case(NAME, "b...d,de->b...e", t(2, 3, 4), t(4, 5)),
    case(NAME, "b...d,de->b...e", t(2, 4), t(4, 5)),
    case(NAME, t(2, 3), [0, 1], t(3, 4), [1, 2], [0, 2]),
    case(NAME, t(2, 3), [0, 1], t(3, 4), [1, 2]),
    case(NAME, t(5, 2, 3), [..., 0, 1], t(3, 4), [1, 2], [..., 0, 2]),
    case(NAME, "ij,jk->ik", t(2, 3), t(1, 4)),
    case(NAME, "ij,ij->ij", t(2, 1), t(2, 3)),
    case(NAME, "ij,ij->i", t(1, 3), t(2, 3)),
    case(NAME, "ij,jk->ik", ints(2, 3), ints(3, 4)),
    case(NAME, "ij,jk->ik", t(2, 3, dtype=HALF), t(3, 4, dtype=HALF)),
    case(NAME, "bij,bjk->bik", t(2, 2, 3, dtype=F64), t(2, 3, 4, dtype=F64)),
    case(NAME, "ij,jk->ik", t(2, 3, dtype=C64), t(3, 4, dtype=C64)),
    case(NAME, "ij->j", t(2, 3, dtype=C64)),
    case(NAME, "Ab,bC->AC", t(2, 3), t(3, 4)),
    case(NAME, "cA,Ab", t(2, 3), t(3, 4)),
    case(NAME, "ij,jk->ik", t(2, 3), t(4, 3)),
    case(NAME, "ij,jk->il", t(2, 3), t(3, 3)),
    case(NAME, "ij->i", t(2, 3), t(3, 3)),
    case(NAME, "ijk->i", t(2, 3)),
    case(NAME, "i,j", t(2, 3), t(3)),
    case(NAME, "ij,jk->ik", t(2, 3)),
    case(NAME, "ij,jk->ii", t(2, 3), t(3, 3)),
    case(NAME, "ij,jk->ik", t(2, 3), ints(3, 3)),
    case(NAME, "ii->i", t(2, 3)),
    case(NAME, "i.j->i", t(2, 3)),
    case(NAME, "i+j->i", t(2, 3)),
    case(NAME, "bn,f->bnf", ints(2, 3), t(4)),
    case(NAME, "i,i->i", ints(4), t(4, dtype=F64)),
]
