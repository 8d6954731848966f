"""A large program to measure with: files of 50 rows, as one writes them."""

from __future__ import annotations

ROWS = 50
"""Rows in each file; the first of a program has one row less."""

_HEAD = """\
{:namespace :shop.fN}

;; What the orders of shop N are made of.
{:name :amount  :refine {:base :int :constraint [:>= 0]}}
{:name :item    :type {:sku :text :count :amount :price :amount}}
{:name :address :type {:street :text :city :text :zip {:type :text :required false}}}
{:name :order
 :description "An order as it comes from outside."
 :type {:id :uuid :items [:list :item] :to :address :gift {:type :bool :required false}}}

{:name :item-total
 :description "What one item costs."
 :parent :mul
 :lambda-params [:item]
 :args {:nums [{:parent :get :args {:coll {:as :item :type :item} :key {:value :count}}}
               {:parent :get :args {:coll {:as :item :type :item} :key {:value :price}}}]}}

{:name :total
 :parent :add
 :args {:nums {:parent :map :args {:coll :_items :func :item-total}}}}

{:name :_items
 :parent :get
 :args {:coll {:as :order :type :order} :key {:value :items}}}
"""

_GROUP = """
{:name :fee-K
 :parent :if
 :args {:test {:parent :gt :args {:nums [:TOTAL {:as :limit :type :int}]}} :then K :else 0}}

{:name :sum-K
 :description "What order and fee come to."
 :parent :add
 :args {:nums [:TOTAL :fee-K K]}}

{:name :label-K
 :parent :str
 :args {:parts ["order "
                {:parent :get :args {:coll {:as :order :type :order} :key {:value :id}}}
                " costs "
                :sum-K]}}

{:name :strict-label-K :parent :label-K :args {:limit 100}}
"""

_TAIL = """
{:name :all :parent :str :args {:parts [:strict-label-0 :strict-label-K]}}
"""

_LINK = """
{:name :before
 :parent :list
 :args {:items [:shop.fN/strict-label-0 :shop.fN/fee-1]}}
"""


def file_text(number: int) -> str:
    """The text of a file; each refers to two rows of the one before."""
    groups = (ROWS - 9) // 4
    texts = [_HEAD.replace("N", str(number))]
    for k in range(groups):
        total = "total" if k == 0 else f"sum-{k - 1}"
        texts.append(_GROUP.replace("TOTAL", total).replace("K", str(k)))
    texts.append(_TAIL.replace("K", str(groups - 1)))
    if number:
        texts.append(_LINK.replace("N", str(number - 1)))
    return "".join(texts)


def texts(files: int) -> dict[str, str]:
    """File names and texts."""
    return {f"shop{number:03}.edn": file_text(number) for number in range(files)}
